import type { LineInput } from './shopping-list';

/** A list to begin with. */
export interface Starter {
  readonly label: string;
  readonly lines: readonly LineInput[];
}

/** Small, typical set-ups, one for each provider. */
export const STARTERS: readonly Starter[] = [
  {
    label: 'A web shop on AWS',
    lines: [
      { provider: 'aws', service: 'EC2', instance: 'm7g.large', quantity: '2', usage: '730' },
      { provider: 'aws', service: 'RDS for PostgreSQL', instance: 'db.t3.large', quantity: '1', usage: '730' },
      { provider: 'aws', service: 'S3', instance: 'Standard', quantity: '1', usage: '500' },
      { provider: 'aws', service: 'CloudFront', instance: 'Data transfer out', quantity: '1', usage: '800' },
    ],
  },
  {
    label: 'Containers on Google Cloud',
    lines: [
      { provider: 'gcp', service: 'GKE', instance: 'Cluster management', quantity: '1', usage: '730' },
      { provider: 'gcp', service: 'GKE Autopilot', instance: 'Pod vCPU', quantity: '4', usage: '730' },
      { provider: 'gcp', service: 'GKE Autopilot', instance: 'Pod memory', quantity: '16', usage: '730' },
      { provider: 'gcp', service: 'Cloud Logging', instance: 'Log storage', quantity: '1', usage: '120' },
    ],
  },
  {
    label: 'Functions on Azure',
    lines: [
      { provider: 'azure', service: 'Functions', instance: 'Executions', quantity: '40', usage: '' },
      { provider: 'azure', service: 'Functions', instance: 'Execution time', quantity: '2000000', usage: '' },
      { provider: 'azure', service: 'Cosmos DB', instance: 'Serverless', quantity: '25', usage: '' },
      { provider: 'azure', service: 'Blob Storage', instance: 'Hot LRS', quantity: '1', usage: '250' },
    ],
  },
];
