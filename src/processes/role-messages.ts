import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Readiness } from '../platform/readiness';

/** The parent process asks with it whether the process is ready; the answer is a `readiness`. */
export const ASK_READINESS = 'readiness?';

/** With this, for its metrics; the answer is a `metrics`. Only a process that runs answers. */
export const ASK_METRICS = 'metrics?';

/** The metrics of a process, as prom-client adds them up. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The messages to the parent process. */
export type Message =
  | { readonly kind: 'runs'; readonly url: string | undefined }
  | {
      readonly kind: 'failed';
      readonly text: string;
      readonly code: string | undefined;
      readonly isConfigError: boolean;
    }
  | { readonly kind: 'readiness'; readonly readiness: Readiness }
  | { readonly kind: 'metrics'; readonly metrics: ProcessMetrics }
  | { readonly kind: 'worker-ready' | 'indexes-ready' };
