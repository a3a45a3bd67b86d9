/** Services of all providers for one purpose, and what people call it. */
interface Purpose {
  readonly words: readonly string[];
  readonly services: readonly string[];
}

/** In small letters. A service may serve several purposes. */
export const PURPOSES: readonly Purpose[] = [
  {
    words: ['vm', 'vms', 'virtual machine', 'virtual server', 'gce'],
    services: ['ec2', 'virtual machines', 'compute engine'],
  },
  { words: ['object storage', 'bucket', 'blob', 'gcs'], services: ['s3', 'blob storage', 'cloud storage'] },
  { words: ['block storage', 'disk', 'volume'], services: ['ebs', 'managed disks', 'persistent disk'] },
  {
    words: ['postgres', 'postgresql'],
    services: ['rds for postgresql', 'aurora', 'database for postgresql', 'cloud sql'],
  },
  { words: ['mysql', 'mariadb'], services: ['rds for mysql', 'aurora', 'database for mysql', 'cloud sql'] },
  {
    words: ['rds', 'sql', 'relational database'],
    services: [
      'rds for mysql',
      'rds for postgresql',
      'aurora',
      'sql database',
      'database for mysql',
      'database for postgresql',
      'cloud sql',
      'spanner',
    ],
  },
  { words: ['nosql', 'document database', 'mongodb'], services: ['dynamodb', 'cosmos db', 'firestore'] },
  { words: ['data warehouse', 'warehouse', 'snowflake'], services: ['redshift', 'bigquery'] },
  { words: ['kubernetes', 'k8s'], services: ['eks', 'aks', 'gke', 'gke autopilot'] },
  {
    words: ['serverless containers', 'container instances'],
    services: ['fargate', 'container apps', 'cloud run', 'gke autopilot'],
  },
  { words: ['docker', 'registry', 'acr', 'gcr'], services: ['ecr', 'container registry', 'artifact registry'] },
  { words: ['faas', 'function'], services: ['lambda', 'functions', 'cloud functions', 'cloud run'] },
  { words: ['paas', 'heroku', 'app engine'], services: ['app service', 'cloud run'] },
  { words: ['apim'], services: ['api gateway', 'api management'] },
  { words: ['kafka', 'streaming', 'event stream'], services: ['kinesis data streams', 'event hubs', 'pub/sub'] },
  { words: ['queue', 'rabbitmq', 'message broker'], services: ['sqs', 'service bus', 'pub/sub', 'cloud tasks'] },
  { words: ['topic', 'pubsub', 'fan-out'], services: ['sns', 'service bus', 'event grid', 'pub/sub'] },
  { words: ['event bus', 'event router'], services: ['eventbridge', 'event grid', 'pub/sub'] },
  { words: ['push notification'], services: ['sns', 'notification hubs'] },
  { words: ['cron'], services: ['eventbridge', 'cloud scheduler'] },
  { words: ['workflow', 'orchestration'], services: ['step functions'] },
  {
    words: ['redis', 'valkey', 'memcached'],
    services: [
      'elasticache for redis',
      'cache for redis',
      'managed redis',
      'memorystore for redis',
      'memorystore redis cluster',
    ],
  },
  { words: ['content delivery', 'edge cache'], services: ['cloudfront', 'front door', 'cloud cdn'] },
  { words: ['domain', 'name server'], services: ['route 53', 'dns', 'cloud dns'] },
  {
    words: ['load balancer', 'load balancing', 'alb', 'elb'],
    services: ['application load balancer', 'cloud load balancing'],
  },
  { words: ['nat'], services: ['nat gateway', 'cloud nat'] },
  { words: ['vpn'], services: ['vpn gateway', 'cloud vpn'] },
  {
    words: ['vpc', 'vnet', 'virtual network'],
    services: ['nat gateway', 'cloud nat', 'vpn gateway', 'cloud vpn', 'public ip'],
  },
  { words: ['egress', 'traffic'], services: ['data transfer', 'bandwidth', 'network egress'] },
  { words: ['secret', 'vault'], services: ['secrets manager', 'key vault', 'secret manager'] },
  { words: ['encryption', 'hsm'], services: ['kms', 'key vault', 'cloud kms'] },
  { words: ['firewall', 'ddos'], services: ['waf', 'front door waf', 'azure firewall', 'cloud armor'] },
  { words: ['threat', 'siem'], services: ['guardduty', 'defender for cloud'] },
  { words: ['logging', 'logs', 'splunk'], services: ['cloudwatch logs', 'log analytics', 'cloud logging'] },
  { words: ['metrics', 'prometheus', 'alerting'], services: ['cloudwatch', 'azure monitor', 'cloud monitoring'] },
  { words: ['tracing', 'apm', 'opentelemetry'], services: ['x-ray', 'application insights', 'cloud trace'] },
  { words: ['llm', 'generative', 'chatgpt'], services: ['bedrock', 'openai service', 'vertex ai'] },
  { words: ['ocr'], services: ['textract', 'document intelligence', 'document ai', 'cloud vision'] },
  { words: ['image recognition'], services: ['rekognition', 'cloud vision'] },
];

/** Half a word may still become another: only so many letters find a purpose. */
const MIN_LETTERS = 4;
const MAX_WORDS = 3;

const SERVICES_BY_NAME = new Map<string, Set<string>>();
for (const { words, services } of PURPOSES) {
  for (const name of [...words, ...services]) {
    const known = SERVICES_BY_NAME.get(name) ?? new Set();
    for (const service of services) known.add(service);
    SERVICES_BY_NAME.set(name, known);
  }
}
const WORDS = PURPOSES.flatMap(({ words }) => words);

/** A part of a search: words, and the services that serve the purpose which they name. */
export interface SearchTerm {
  readonly words: readonly string[];
  /** Names of services, in small letters. */
  readonly services: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** The terms of a search; words that together name a purpose or a service are one: `load balancer`. */
export function termsOf(search: string): readonly SearchTerm[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const terms: SearchTerm[] = [];
  for (let at = 0; at < words.length;) {
    const term = longestAt(words, at);
    terms.push(term);
    at += term.words.length;
  }
  return terms;
}

function longestAt(words: readonly string[], at: number): SearchTerm {
  for (let count = MAX_WORDS; count > 0; count -= 1) {
    const part = words.slice(at, at + count);
    const services = servicesFor(part.join(' '));
    if (services) return { words: part, services };
  }
  return { words: words.slice(at, at + 1), services: NONE };
}

function servicesFor(name: string): ReadonlySet<string> | undefined {
  const exact = SERVICES_BY_NAME.get(name) ?? SERVICES_BY_NAME.get(name.replace(/s$/, ''));
  if (exact || name.length < MIN_LETTERS) return exact;
  const begun = WORDS.find((word) => word.startsWith(name));
  return begun === undefined ? undefined : SERVICES_BY_NAME.get(begun);
}
