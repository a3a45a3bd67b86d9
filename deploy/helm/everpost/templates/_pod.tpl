{{/*
The template of a role's pods. In: root, role, values (of the role).
The role's ports, probes and what is done before a stop are in `container`.
*/}}
{{- define "everpost.podTemplate" -}}
{{- $root := .root }}
{{- with $root.Values }}
metadata:
  labels:
    {{- include "everpost.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $.role }}
  annotations:
    # A changed Secret starts new pods.
    checksum/secrets: {{ include "everpost.secrets" $root | sha256sum }}
    {{- range $name := compact (list .existingSecret .temporal.tls.existingSecret) }}
    {{- with lookup "v1" "Secret" $root.Release.Namespace $name }}
    # Yours, as it is at this upgrade; `helm template` can't see it.
    checksum/{{ $name | sha256sum | trunc 8 }}: {{ toJson .data | sha256sum }}
    {{- end }}
    {{- end }}
    {{- with $.values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "everpost.serviceAccount" $root }}
  automountServiceAccountToken: false
  # A Service named `temporal` or `mongodb` would set TEMPORAL_PORT or MONGODB_PORT to an address.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ $.values.terminationGracePeriodSeconds }}
  {{- include "everpost.podSecurity" $root | nindent 2 }}
  containers:
    - name: {{ $.role }}
      image: {{ include "everpost.image" $root }}
      imagePullPolicy: {{ .image.pullPolicy }}
      command: [node, dist/src/main.js, {{ $.role }}]
      {{- if or (include "everpost.envFrom" $root | trim) .extraEnvFrom }}
      envFrom:
        {{- include "everpost.envFrom" $root | nindent 8 }}
        {{- with .extraEnvFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
      env:
        {{- include "everpost.env" (include "everpost.settings" $root | fromYaml) | nindent 8 }}
        {{- with .extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- $.container | nindent 6 }}
      resources:
        {{- toYaml $.values.resources | nindent 8 }}
      {{- include "everpost.containerSecurity" $root | nindent 6 }}
      volumeMounts:
        {{- include "everpost.volumeMounts" $root | nindent 8 }}
        {{- with .extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    {{- include "everpost.volumes" $root | nindent 4 }}
    {{- with .extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- range . }}
    {{- $own := dict "matchLabels" (merge (dict "app.kubernetes.io/component" $.role) (include "everpost.selector" $root | fromYaml)) }}
    - {{ merge (deepCopy .) (dict "labelSelector" $own) | toYaml | nindent 6 | trim }}
    {{- end }}
  {{- end }}
  {{- with .priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- range $name := list "nodeSelector" "tolerations" "affinity" }}
  {{- with get $.values $name }}
  {{ $name }}:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The user `node` of the image. */}}
{{- define "everpost.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  # For the files of a Secret.
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "everpost.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- define "everpost.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.temporal.tls.existingSecret }}
- name: temporal-tls
  mountPath: /etc/everpost/temporal
  readOnly: true
{{- end }}
{{- end }}

{{- define "everpost.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- with .Values.temporal.tls.existingSecret }}
- name: temporal-tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end }}
