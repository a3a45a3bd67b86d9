import type { ComparableGroup } from './comparable-group';

const ARM = 'neither has an Arm machine of that size in the catalog';
const OWN_DATABASE = 'its engine and its unit are its own';
const CACHE = 'no entry states the same engine, vCPUs, memory and replica';

/** The groups of compute, databases and caches. Source: the catalog's `specs`, and the providers' lists of machines. */
export const MACHINES: readonly ComparableGroup[] = [
  {
    what: 'A virtual machine: 2 burstable or shared x86 vCPUs, 4 GiB, Linux',
    size: { vcpus: 2, memoryGib: 4 },
    aws: ['EC2 / t3.medium'],
    azure: ['Virtual Machines / B2s'],
    gcp: ['Compute Engine / e2-medium'],
  },
  {
    what: 'A virtual machine: 2 burstable or shared x86 vCPUs, 1 GiB, Linux',
    size: { vcpus: 2, memoryGib: 1 },
    aws: ['EC2 / t3.micro'],
    gcp: ['Compute Engine / e2-micro'],
    none: 'its machine with 1 GiB has 1 vCPU',
  },
  {
    what: 'A virtual machine: 1 burstable x86 vCPU, 1 GiB, Linux',
    azure: ['Virtual Machines / B1s'],
    none: 'its machine with 1 GiB has 2 vCPUs',
  },
  {
    what: 'A virtual machine: 2 x86 vCPUs (threads of a core) of its own, 8 GiB, Linux',
    size: { vcpus: 2, memoryGib: 8 },
    aws: ['EC2 / m5.large', 'EC2 / m7i.large'],
    azure: ['Virtual Machines / D2s_v5'],
    gcp: ['Compute Engine / e2-standard-2'],
  },
  {
    what: 'A virtual machine: 2 x86 vCPUs, each a whole core, 8 GiB, Linux',
    gcp: ['Compute Engine / t2d-standard-2'],
    none: 'a vCPU of its x86 machines is a thread, half a core',
  },
  {
    what: 'A virtual machine: 2 Arm vCPUs, 8 GiB, Linux',
    size: { vcpus: 2, memoryGib: 8 },
    aws: ['EC2 / m7g.large'],
    gcp: ['Compute Engine / c4a-standard-2', 'Compute Engine / t2a-standard-2'],
    none: 'its only Arm machine in the catalog has 8 vCPUs',
  },
  {
    what: 'A virtual machine: 4 x86 vCPUs of its own, 16 GiB, Linux',
    size: { vcpus: 4, memoryGib: 16 },
    azure: ['Virtual Machines / D4s_v5'],
    gcp: ['Compute Engine / n2-standard-4', 'Compute Engine / c3-standard-4'],
    none: 'the catalog has no x86 machine of that size without a GPU',
  },
  {
    what: 'A virtual machine: 4 x86 vCPUs, 16 GiB, 1 NVIDIA L4 GPU, Linux',
    size: { vcpus: 4, memoryGib: 16 },
    aws: ['EC2 / g6.xlarge'],
    gcp: ['Compute Engine / g2-standard-4'],
    none: 'its machine with a GPU has another one, a T4',
  },
  {
    what: 'A virtual machine: 8 x86 vCPUs, 56 GiB, 1 NVIDIA T4 GPU, Linux',
    azure: ['Virtual Machines / NC8as_T4_v3'],
    none: 'its machine with a GPU has another one, an L4',
  },
  { what: 'A virtual machine: 2 burstable Arm vCPUs, 4 GiB, Linux', aws: ['EC2 / t4g.medium'], none: ARM },
  { what: 'A virtual machine: 4 Arm vCPUs, 8 GiB, Linux', aws: ['EC2 / c7g.xlarge'], none: ARM },
  { what: 'A virtual machine: 2 Arm vCPUs, 16 GiB, Linux', aws: ['EC2 / r7g.large'], none: ARM },
  { what: 'A virtual machine: 8 Arm vCPUs, 32 GiB, Linux', azure: ['Virtual Machines / D8ps_v5'], none: ARM },
  {
    what: 'A virtual machine with 8 x86 vCPUs, Linux',
    azure: ['Virtual Machines / D8s_v4', 'Virtual Machines / E8s_v4', 'Virtual Machines / F8s_v2'],
    none: 'the catalog has no machine with 8 vCPUs',
  },
  {
    what: 'MySQL: 2 x86 vCPUs of its own, 8 GiB, in one zone without a standby; storage is another line',
    size: { vcpus: 2, memoryGib: 8 },
    aws: ['RDS for MySQL / db.m5.large'],
    azure: ['Database for MySQL / Flexible D2ads_v5'],
    gcp: [{ 'Cloud SQL / Enterprise vCPU': 2, 'Cloud SQL / Enterprise memory': 8 }],
  },
  {
    what: 'PostgreSQL: 4 x86 vCPUs of its own, 16 GiB, in one zone without a standby; storage is another line',
    size: { vcpus: 4, memoryGib: 16 },
    azure: ['Database for PostgreSQL / Flexible D4s_v3'],
    gcp: [{ 'Cloud SQL / Enterprise vCPU': 4, 'Cloud SQL / Enterprise memory': 16 }],
    none: 'its PostgreSQL in the catalog has 2 burstable vCPUs',
  },
  {
    what: 'PostgreSQL: 2 burstable vCPUs, 8 GiB, in one zone without a standby',
    aws: ['RDS for PostgreSQL / db.t3.large'],
    none: 'its PostgreSQL in the catalog has another size, or vCPUs that do not burst',
  },
  {
    what: 'PostgreSQL: 1 burstable vCPU, 2 GiB, in one zone without a standby',
    azure: ['Database for PostgreSQL / Flexible B1ms'],
    none: 'its PostgreSQL in the catalog has another size',
  },
  {
    what: 'MySQL: 2 burstable vCPUs, 8 GiB, with a standby in a second zone',
    aws: ['RDS for MySQL / db.t3.large Multi-AZ'],
    none: 'its MySQL in the catalog is in one zone, without a standby',
  },
  {
    what: 'MySQL or PostgreSQL: a shared core, 1.7 GiB, in one zone without a standby',
    gcp: ['Cloud SQL / db-g1-small'],
    none: 'no entry states a part of a core and 1.7 GiB',
  },
  {
    what: 'A part of a MySQL or PostgreSQL server: its vCPUs without its memory, or its memory without its vCPUs',
    gcp: ['Cloud SQL / Enterprise vCPU', 'Cloud SQL / Enterprise memory'],
    none: 'it prices a whole server, vCPUs and memory together',
  },
  {
    what: 'Storage of MySQL or PostgreSQL in one zone',
    gcp: ['Cloud SQL / SSD storage'],
    none: 'its storage in the catalog belongs to another engine',
  },
  {
    what: 'Aurora: its capacity units, and its storage of six copies in three zones',
    aws: ['Aurora / Serverless v2 ACU', 'Aurora / Storage'],
    none: OWN_DATABASE,
  },
  {
    what: 'DynamoDB: its request units of 1 KB written and 4 KB read',
    aws: ['DynamoDB / On-demand reads', 'DynamoDB / On-demand writes'],
    none: 'it counts documents or request units of other sizes',
  },
  { what: 'A node of a Redshift cluster', aws: ['Redshift / ra3.4xlarge'], none: OWN_DATABASE },
  {
    what: 'SQL Server by DTU or by vCore',
    azure: ['SQL Database / Standard S0', 'SQL Database / Serverless Gen5'],
    none: 'the catalog has no SQL Server',
  },
  {
    what: 'Cosmos DB: its request units and its storage',
    azure: ['Cosmos DB / Provisioned 100 RU/s', 'Cosmos DB / Serverless', 'Cosmos DB / Transactional storage'],
    none: OWN_DATABASE,
  },
  {
    what: 'Firestore: documents read and written, whatever their size',
    gcp: ['Firestore / Document reads', 'Firestore / Document writes'],
    none: 'it counts request units of a size',
  },
  {
    what: 'Spanner or BigQuery: their nodes and storage',
    gcp: ['Spanner / Regional node', 'BigQuery / Active logical storage'],
    none: OWN_DATABASE,
  },
  {
    what: 'A Redis node without a replica',
    aws: [
      'ElastiCache for Redis / cache.t4g.micro',
      'ElastiCache for Redis / cache.m7g.large',
      'ElastiCache for Redis / cache.r7g.large',
      'ElastiCache for Redis / cache.r5.4xlarge',
    ],
    none: CACHE,
  },
  {
    what: 'Redis with a replica',
    azure: ['Cache for Redis / Standard C3', 'Cache for Redis / Premium P1'],
    none: CACHE,
  },
  {
    what: 'A node of Redis Enterprise without a replica, of unstated vCPUs',
    azure: ['Managed Redis / Balanced B3', 'Managed Redis / Memory Optimized M10'],
    none: CACHE,
  },
  {
    what: 'Redis by the GB of its memory, of unstated vCPUs',
    gcp: [
      'Memorystore for Redis / Basic M1',
      'Memorystore for Redis / Standard M1',
      'Memorystore for Redis / Basic M2',
    ],
    none: 'it prices whole nodes',
  },
  {
    what: 'A node of a Redis cluster, of unstated vCPUs',
    gcp: ['Memorystore Redis Cluster / standard-small node', 'Memorystore Redis Cluster / highmem-medium node'],
    none: CACHE,
  },
];
