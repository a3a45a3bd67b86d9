import type { ComparableGroup } from './comparable-group';

const CDN =
  'a fee of its own, such as a profile or a load balancer, stands behind the one price and not behind the other';

/** The groups of monitoring, messaging and delivery networks. Source: the catalog's `specs` and `region`. */
export const SIGNALS: readonly ComparableGroup[] = [
  {
    what: 'A metric of your own, stored',
    aws: ['CloudWatch / Custom metric'],
    none: 'the catalog has no price of a stored metric',
  },
  {
    what: 'An alarm on one time series of a metric',
    aws: ['CloudWatch / Standard alarm'],
    azure: ['Azure Monitor / Metric alert time-series'],
    none: 'the catalog has no alarms',
  },
  {
    what: 'An alarm on a search of logs, in Europe',
    azure: ['Azure Monitor / Log alert 5-minute'],
    none: 'the catalog has no such alarm',
  },
  { what: 'A dashboard of metrics', aws: ['CloudWatch / Dashboard'], none: 'the catalog has no dashboards' },
  {
    what: 'Taking in logs, without keeping them',
    aws: ['CloudWatch Logs / Ingestion'],
    none: 'its price has a time of keeping in it, or is for Europe',
  },
  {
    what: 'Taking in logs, and keeping them for 90 days',
    azure: ['Application Insights / Data ingestion'],
    none: 'its price is without the keeping, or with another time',
  },
  {
    what: 'Taking in logs, and keeping them for 30 days',
    gcp: ['Cloud Logging / Log storage'],
    none: 'its price is without the keeping, with another time, or for Europe',
  },
  {
    what: 'Taking in logs, in Europe',
    azure: ['Log Analytics / Analytics logs'],
    none: 'the catalog has no such price for Europe',
  },
  {
    what: 'Taking in logs of the network',
    gcp: ['Cloud Logging / Vended network logs'],
    none: 'the catalog has no price of such logs',
  },
  {
    what: 'Keeping logs, compressed',
    aws: ['CloudWatch Logs / Storage'],
    none: 'its price is for logs that are not compressed',
  },
  {
    what: 'Keeping logs that can be searched at once, beyond 90 days',
    azure: ['Application Insights / Data retention'],
    none: 'its price is for compressed logs, or begins at another day',
  },
  {
    what: 'Keeping logs beyond 30 days',
    gcp: ['Cloud Logging / Retention'],
    none: 'its price is for compressed logs, or begins at another day',
  },
  {
    what: 'Traces, whatever the number of their spans',
    aws: ['X-Ray / Traces recorded'],
    none: 'it counts spans, of which a trace has many, or the catalog has no traces',
  },
  {
    what: 'Spans, of which a trace has many',
    gcp: ['Cloud Trace / Span ingestion'],
    none: 'it counts whole traces, or the catalog has none',
  },
  {
    what: 'Calls that read metrics',
    gcp: ['Cloud Monitoring / API read calls'],
    none: 'the catalog has no price of such calls',
  },
  {
    what: 'A queue: each call that sends, receives or deletes, in the United States',
    aws: ['SQS / Standard queue'],
    none: 'its price is for Europe, for bytes, or for tasks that the queue sends itself',
  },
  {
    what: 'A topic: each message that is published',
    aws: ['SNS / Standard publishes'],
    none: 'its price is for Europe, for bytes, or for both publishing and delivering',
  },
  {
    what: 'A topic: each message that is delivered by HTTP',
    aws: ['SNS / HTTP deliveries'],
    none: 'its price is for Europe, for bytes, or for telephones',
  },
  {
    what: 'An event bus: each event that is published',
    aws: ['EventBridge / Custom events'],
    none: 'its price is for Europe, for bytes, or on top of throughput by the hour',
  },
  {
    what: 'An hour of a stream that takes 1 MB/s and gives 2 MB/s; messages are another line',
    aws: ['Kinesis Data Streams / Provisioned shard'],
    azure: ['Event Hubs / Standard throughput unit'],
    none: 'it has no throughput by the hour, but a price of bytes',
  },
  {
    what: 'Messages of a queue or of an event bus, in Europe',
    azure: ['Service Bus / Standard operations', 'Event Grid / Basic operations'],
    none: 'its price is for the United States, or for bytes',
  },
  {
    what: 'Messages into a stream, on top of throughput by the hour',
    azure: ['Event Hubs / Ingress events'],
    none: 'the catalog has no price of the same on top of throughput by the hour',
  },
  {
    what: 'Messages to telephones',
    azure: ['Notification Hubs / Standard pushes'],
    none: 'the catalog has no price of messages to telephones',
  },
  {
    what: 'A topic, by the bytes of its messages',
    gcp: ['Pub/Sub / Publish throughput', 'Pub/Sub / Delivery throughput', 'Pub/Sub / Retained messages'],
    none: 'it counts messages or calls, whatever their bytes',
  },
  {
    what: 'Tasks that a queue sends itself, or at a set time',
    gcp: ['Cloud Tasks / Billable operations', 'Cloud Scheduler / Job'],
    none: 'the catalog has no such tasks',
  },
  {
    what: 'Delivery from the edge, with no fee by the month',
    aws: ['CloudFront / Data transfer out', 'CloudFront / HTTPS requests', 'CloudFront / HTTP requests'],
    none: CDN,
  },
  {
    what: 'Delivery from the edge, on top of a fee of the profile',
    azure: ['Front Door / Data transfer out', 'Front Door / Standard requests'],
    none: CDN,
  },
  {
    what: 'Delivery from the edge, on top of a load balancer',
    gcp: [
      'Cloud CDN / Cache egress North America',
      'Cloud CDN / Cache egress North America 10-150 TiB',
      'Cloud CDN / Cache egress Asia Pacific',
      'Cloud CDN / Cache lookups',
    ],
    none: CDN,
  },
  {
    what: 'The monthly fee of a profile of a delivery network',
    azure: ['Front Door / Standard base fee', 'Front Door / Premium base fee'],
    none: 'it has no such fee',
  },
  {
    what: 'Runs of a function at the edge',
    aws: ['CloudFront Functions / Invocations'],
    none: 'the catalog has no such functions',
  },
];
