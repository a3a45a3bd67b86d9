import type { ComparableGroup } from './comparable-group';

/** The groups of storage, networking, containers and serverless. Source: the catalog's `specs` and `region`. */
export const PLATFORM: readonly ComparableGroup[] = [
  {
    what: 'Object storage for frequent access, copied to several zones of a region',
    aws: ['S3 / Standard'],
    azure: ['Blob Storage / Hot ZRS'],
    gcp: ['Cloud Storage / Standard'],
  },
  {
    what: 'Object storage for rare access, copied to several zones of a region, at least 30 days',
    aws: ['S3 / Standard-IA'],
    gcp: ['Cloud Storage / Nearline'],
    none: 'its storage for rare access has its copies in one zone',
  },
  {
    what: 'Object storage whose copies are all in one zone',
    azure: ['Blob Storage / Hot LRS', 'Blob Storage / Cool LRS'],
    none: 'its storage in the catalog has copies in several zones',
  },
  {
    what: 'An archive that has to be retrieved first, in minutes to 12 hours',
    aws: ['S3 / Glacier Flexible Retrieval', 'S3 / Glacier Deep Archive'],
    none: 'the catalog has no archive with such waiting times',
  },
  {
    what: 'An archive that can be read at once, at least 90 or 365 days',
    gcp: ['Cloud Storage / Coldline', 'Cloud Storage / Archive'],
    none: 'its archive in the catalog has to be retrieved first, which takes minutes to hours',
  },
  {
    what: 'Writing objects that are copied to several zones, in the United States',
    aws: ['S3 / PUT requests'],
    none: 'its price is for copies in one zone, or for Europe',
  },
  {
    what: 'Writing objects whose copies are all in one zone',
    azure: ['Blob Storage / Hot write operations'],
    none: 'its price is for copies in several zones',
  },
  {
    what: 'Writing and listing objects, in Europe',
    gcp: ['Cloud Storage / Class A operations'],
    none: 'its price is for the United States',
  },
  {
    what: 'A general purpose SSD in one zone, with some 3,000 operations a second included',
    aws: ['EBS / gp3'],
    gcp: ['Persistent Disk / pd-balanced'],
    none: 'it prices whole disks of fixed sizes',
  },
  {
    what: 'A fast SSD in one zone, whose speed grows with its size',
    gcp: ['Persistent Disk / pd-ssd'],
    none: 'the catalog has no such disk by the GB',
  },
  { what: 'Shared file storage in several zones', aws: ['EFS / Standard'], none: 'the catalog has no file storage' },
  {
    what: 'A premium SSD of a fixed size',
    azure: ['Managed Disks / P10 LRS', 'Managed Disks / P4 LRS'],
    none: 'it prices disks by the GB',
  },
  { what: 'A snapshot of a disk', azure: ['Managed Disks / Snapshot'], none: 'the catalog has no snapshots' },
  {
    what: 'Traffic from a data center in the United States to the Internet, first tier',
    aws: ['Data Transfer / Internet egress'],
    azure: ['Bandwidth / Internet egress'],
    gcp: ['Network Egress / Premium tier internet'],
  },
  {
    what: 'An hour of a gateway that all machines of a network share, in the United States',
    aws: ['NAT Gateway / Gateway hour'],
    none: 'its price is for Europe, or for each machine behind the gateway',
  },
  {
    what: 'An hour of a shared gateway in Europe, and the data that it handles',
    azure: ['NAT Gateway / Gateway hour', 'NAT Gateway / Data processed'],
    none: 'its price is for the United States',
  },
  { what: 'An hour of a gateway for one machine', gcp: ['Cloud NAT / VM hour'], none: 'it prices the whole gateway' },
  {
    what: 'The data that a gateway handles, which also costs by the hour',
    aws: ['NAT Gateway / Data processed'],
    none: 'its hours, without which no data passes, have no equivalent',
  },
  {
    what: 'The data that a gateway handles, which also costs by the machine',
    gcp: ['Cloud NAT / Data processed'],
    none: 'its hours, without which no data passes, have no equivalent',
  },
  {
    what: 'A whole load balancer; its load is another line',
    aws: ['Application Load Balancer / ALB hour'],
    none: 'the catalog has no price of a whole load balancer',
  },
  {
    what: 'One proxy of a load balancer, which has as many as its load needs',
    gcp: ['Cloud Load Balancing / Proxy instance'],
    none: 'it prices a whole load balancer, or the catalog has none',
  },
  {
    what: 'A DNS zone, one of the first 25; queries are another line',
    aws: ['Route 53 / Hosted zone'],
    gcp: ['Cloud DNS / Managed zone'],
    none: 'the catalog has no price of a zone',
  },
  {
    what: 'DNS queries of a zone, which has its own price',
    aws: ['Route 53 / Standard DNS queries'],
    none: 'the catalog has no price of its queries, or none of the zone that they need',
  },
  {
    what: 'DNS queries of a zone, whose price the catalog does not have',
    azure: ['DNS / Public queries'],
    none: 'the catalog has no price of its queries, or one that comes on top of a zone',
  },
  { what: 'A VPN gateway for 30 tunnels', azure: ['VPN Gateway / VpnGw1'], none: 'it prices tunnels, one by one' },
  { what: 'One VPN tunnel', gcp: ['Cloud VPN / Tunnel'], none: 'it prices a gateway for many tunnels' },
  {
    what: 'A public IPv4 address that stays',
    azure: ['Public IP / Static standard'],
    none: 'the catalog has no addresses',
  },
  {
    what: 'The control plane of a Kubernetes cluster with a promised availability; machines are other lines',
    aws: ['EKS / Cluster'],
    azure: ['AKS / Standard tier cluster'],
    gcp: ['GKE / Cluster management'],
  },
  {
    what: 'A part of a Fargate task, which needs no cluster that costs: its vCPUs, or its memory',
    aws: ['Fargate / vCPU x86', 'Fargate / Memory x86'],
    none: 'its parts are billed only while they work, or need a cluster that costs by the hour',
  },
  {
    what: 'A part of a pod in a Kubernetes cluster that costs by the hour: its vCPUs, or its memory',
    gcp: ['GKE Autopilot / Pod vCPU', 'GKE Autopilot / Pod memory'],
    none: 'its parts are billed only while they work, or need no such cluster',
  },
  {
    what: 'The vCPUs of a container while it works; memory and requests are other lines at both',
    azure: ['Container Apps / Active vCPU'],
    gcp: ['Cloud Run / vCPU request-based'],
    none: 'it bills containers all the time that they exist',
  },
  {
    what: 'The memory of a container while it works; vCPUs and requests are other lines at both',
    azure: ['Container Apps / Memory'],
    gcp: ['Cloud Run / Memory request-based'],
    none: 'it bills containers all the time that they exist, or memory and CPU together',
  },
  {
    what: 'Storage of container images by the GB',
    aws: ['ECR / Private storage'],
    gcp: ['Artifact Registry / Storage'],
    none: 'it prices a registry with a fixed amount of storage',
  },
  {
    what: 'A registry of container images with a fixed amount of storage',
    azure: ['Container Registry / Basic', 'Container Registry / Premium'],
    none: 'it prices storage by the GB',
  },
  {
    what: 'Calls of a function; its run time is another line',
    aws: ['Lambda / Requests'],
    azure: ['Functions / Executions'],
    gcp: ['Cloud Functions / Invocations'],
  },
  {
    what: 'Run time of an x86 function by its memory, with the CPU in the price; calls are another line',
    aws: ['Lambda / Duration x86'],
    azure: ['Functions / Execution time'],
    none: 'its prices by memory are without the CPU, which costs several times as much',
  },
  {
    what: 'Run time of an Arm function by its memory, with the CPU in the price',
    aws: ['Lambda / Duration Arm'],
    none: 'the catalog has no functions on Arm',
  },
  {
    what: 'Run time of a function by its memory, without the CPU',
    gcp: ['Cloud Functions / Memory time'],
    none: 'its prices by memory have the CPU in them, or are for containers',
  },
  {
    what: 'Calls of a container, in Europe',
    gcp: ['Cloud Run / Requests'],
    none: 'the catalog has no price of such calls in Europe',
  },
  {
    what: 'Calls of a managed API with keys and quotas, first tier',
    aws: ['API Gateway / REST API'],
    azure: ['API Management / Consumption'],
    gcp: ['API Gateway / API calls'],
  },
  {
    what: 'Calls of a managed API without keys and quotas',
    aws: ['API Gateway / HTTP API'],
    none: 'its price is for an API with keys and quotas',
  },
  {
    what: 'Runs of a short workflow; their run time is another line',
    aws: ['Step Functions / Express requests'],
    none: 'the catalog has no workflows',
  },
  {
    what: 'A part of a plan of functions that are kept warm: its vCPUs, or its memory',
    azure: ['Functions / Premium EP vCPU', 'Functions / Premium EP memory'],
    none: 'the catalog has no such plan',
  },
  {
    what: 'A web server that the provider manages: 2 vCPUs, 8 GiB',
    azure: ['App Service / P1v3 Linux'],
    none: 'the catalog has no managed web server',
  },
];
