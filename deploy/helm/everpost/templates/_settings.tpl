{{/* Stops with a sentence if something is missing that no process can start without. */}}
{{- define "everpost.check" -}}
{{- $have := not (empty .Values.existingSecret) }}
{{- if not .Values.image.repository }}
{{- fail "Set image.repository to the image that you pushed to your registry: none is published (docs/kubernetes.md)." }}
{{- end }}
{{- if not (or $have .Values.mongodb.uri (get .Values.settings "MONGODB_URI_FILE")) }}
{{- fail "Set mongodb.uri to the connection string of your MongoDB, or existingSecret to the name of a Secret with the key MONGODB_URI." }}
{{- end }}
{{- if not (or $have .Values.temporal.address) }}
{{- fail "Set temporal.address to the host:port of your Temporal, or existingSecret to the name of a Secret with the key TEMPORAL_ADDRESS." }}
{{- end }}
{{- if not (or $have .Values.encryptionKey (get .Values.settings "ENCRYPTION_KEY_FILE")) }}
{{- fail "Set encryptionKey to the output of `openssl rand -base64 32`, or existingSecret to the name of a Secret with the key ENCRYPTION_KEY." }}
{{- end }}
{{- if lt (int .Values.api.terminationGracePeriodSeconds) (add 40 (int .Values.api.preStopSeconds) | int) }}
{{- fail "Set api.terminationGracePeriodSeconds to at least 40 seconds more than api.preStopSeconds: attempts under way get 35 seconds." }}
{{- end }}
{{- end }}

{{/* How Temporal is reached: the Job that prepares the namespace needs it too. */}}
{{- define "everpost.temporalEnv" -}}
{{- $env := dict "TEMPORAL_NAMESPACE" .Values.temporal.namespace }}
{{- with .Values.temporal }}
{{- if .address }}{{ $_ := set $env "TEMPORAL_ADDRESS" .address }}{{ end }}
{{- if .tls.enabled }}{{ $_ := set $env "TEMPORAL_TLS" "true" }}{{ end }}
{{- if .tls.serverName }}{{ $_ := set $env "TEMPORAL_TLS_SERVER_NAME" .tls.serverName }}{{ end }}
{{- if .tls.existingSecret }}
{{- $_ := set $env "TEMPORAL_TLS_CLIENT_CERT_PATH" "/etc/everpost/temporal/tls.crt" }}
{{- $_ := set $env "TEMPORAL_TLS_CLIENT_KEY_PATH" "/etc/everpost/temporal/tls.key" }}
{{- if .tls.useCa }}{{ $_ := set $env "TEMPORAL_TLS_SERVER_CA_CERT_PATH" "/etc/everpost/temporal/ca.crt" }}{{ end }}
{{- end }}
{{- end }}
{{- toYaml $env }}
{{- end }}

{{/* The plain settings of a role, as a map. `settings` wins. */}}
{{- define "everpost.settings" -}}
{{- $own := dict "NODE_ENV" "production" "HOST" "0.0.0.0" "PORT" (.Values.api.port | toString) "METRICS_PORT" (.Values.metrics.port | toString) }}
{{- toYaml (mergeOverwrite $own (include "everpost.temporalEnv" . | fromYaml) .Values.settings) }}
{{- end }}

{{/* A setting as text. Helm reads 67108864 as a float, which would become 6.7108864e+07. */}}
{{- define "everpost.text" -}}
{{- if kindIs "float64" . }}{{ int64 . | toString | quote }}{{ else }}{{ toString . | quote }}{{ end }}
{{- end }}

{{/* A map of settings as a list of variables. */}}
{{- define "everpost.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ include "everpost.text" $value }}
{{- end }}
{{- end }}

{{/* The chart's own Secret, as a map. */}}
{{- define "everpost.secrets" -}}
{{- $secrets := dict }}
{{- if .Values.mongodb.uri }}{{ $_ := set $secrets "MONGODB_URI" .Values.mongodb.uri }}{{ end }}
{{- if .Values.encryptionKey }}{{ $_ := set $secrets "ENCRYPTION_KEY" .Values.encryptionKey }}{{ end }}
{{- if .Values.temporal.apiKey }}{{ $_ := set $secrets "TEMPORAL_API_KEY" .Values.temporal.apiKey }}{{ end }}
{{- toYaml (mergeOverwrite $secrets .Values.secretSettings) }}
{{- end }}

{{/* Where variables with passwords come from. */}}
{{- define "everpost.envFrom" -}}
{{- if .Values.existingSecret }}
- secretRef:
    name: {{ .Values.existingSecret }}
{{- end }}
{{- if include "everpost.secrets" . | fromYaml }}
- secretRef:
    name: {{ include "everpost.fullname" . }}
{{- end }}
{{- end }}

{{/* Whether API pods send webhooks or challenges. */}}
{{- define "everpost.apiSends" -}}
{{- $settings := .Values.settings }}
{{- if or (ne (get $settings "FIRST_ATTEMPT") "workflow") (eq (get $settings "ENDPOINT_VERIFICATION") "challenge") (and (eq (get $settings "SIGN_UP") "open") (ne (get $settings "ENDPOINT_VERIFICATION") "off")) }}true{{ end }}
{{- end }}
