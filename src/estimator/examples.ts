/** The answer of GET /api/cost-estimator. */
export const CATALOG_EXAMPLE = {
  count: 1,
  services: [
    {
      provider: 'aws',
      category: 'compute',
      service: 'EC2',
      instance: 't3.medium',
      specs: '2 vCPU, 4 GiB, burstable x86, Linux',
      priceUnit: 'per hour',
      priceUsd: 0.0416,
      region: 'us-east-1',
    },
  ],
};

/** The answer of POST /api/cost-estimator. */
export const ESTIMATE_EXAMPLE = {
  totalMonthlyUsd: 72.24,
  totalAnnualUsd: 866.88,
  breakdown: [
    {
      provider: 'aws',
      service: 'EC2',
      instance: 't3.medium',
      quantity: 2,
      unitPrice: 0.0416,
      priceUnit: 'per hour',
      monthlyUsd: 60.74,
    },
    {
      provider: 'cloud_a',
      service: 'S3',
      instance: 'Standard',
      quantity: 1,
      unitPrice: 0.023,
      priceUnit: 'per GB/month',
      monthlyUsd: 11.5,
    },
  ],
  generatedAt: '2026-11-21T12:00:00.000Z',
};

/** The answer of GET /api/cost-estimator/equivalents. */
export const EQUIVALENTS_EXAMPLE = {
  count: 1,
  equivalents: [
    {
      provider: 'aws',
      service: 'RDS for MySQL',
      instance: 'db.t3.large Multi-AZ',
      others: [
        {
          provider: 'azure',
          offers: [],
          reason: 'No equivalent: its MySQL in the catalog is in one zone, without a standby.',
        },
        {
          provider: 'gcp',
          offers: [],
          reason: 'No equivalent: its MySQL in the catalog is in one zone, without a standby.',
        },
      ],
    },
  ],
};

/** The answer of GET /api/cost-estimator/sources. */
export const SOURCES_EXAMPLE = {
  count: 1,
  sources: [
    {
      provider: 'aws',
      service: 'EC2',
      instance: 't3.medium',
      source: 'aws/karpenter-provider-aws:pkg/providers/pricing/zz_generated.pricing_aws.go:573',
      sourceDate: '2026-07-20',
      note: 'generated 2026-07-20T13:44:30Z from the AWS price list, us-east-1 Linux on-demand',
      grade: 'A',
    },
  ],
};
