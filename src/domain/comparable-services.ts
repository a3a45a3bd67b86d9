import type { ComparableGroup } from './comparable-group';

const MODEL = 'it has other models, with other tokens and other answers';

/** The groups of security and machine learning. Source: the catalog's `specs` and `region`. */
export const SERVICES: readonly ComparableGroup[] = [
  {
    what: 'A stored secret with one version in force, in one place; reading it is another line',
    aws: ['Secrets Manager / Secret'],
    gcp: ['Secret Manager / Active secret version'],
    none: 'it has no price of a stored secret, only of reading it',
  },
  {
    what: 'Reading and writing secrets that have a monthly price themselves',
    needs: { aws: 'Secrets Manager / Secret', gcp: 'Secret Manager / Active secret version' },
    aws: ['Secrets Manager / API requests'],
    gcp: ['Secret Manager / Access operations'],
    none: 'its secrets have no monthly price, so reading them has to pay for both',
  },
  {
    what: 'Reading and writing secrets that have no monthly price',
    azure: ['Key Vault / Secrets operations'],
    none: 'its secrets have a monthly price too',
  },
  {
    what: 'A key that a hardware module keeps',
    azure: ['Key Vault / HSM key RSA 2048'],
    none: 'the catalog does not state that a module keeps its key, and which kind of key',
  },
  {
    what: 'A key of which the catalog does not state the kind',
    aws: ['KMS / Customer managed key'],
    none: 'its key is kept by software, or is of a stated kind',
  },
  {
    what: 'A key that software keeps, and its use',
    gcp: ['Cloud KMS / Software key version', 'Cloud KMS / Key operations'],
    none: 'the catalog has no such key with a price of its own',
  },
  {
    what: 'A set of rules of a web firewall; rules, requests and what it protects are other lines',
    aws: ['WAF / Web ACL'],
    gcp: ['Cloud Armor / Standard policy'],
    none: 'its set of rules needs a profile of Front Door, which has a monthly fee',
  },
  {
    what: 'A set of rules of a web firewall, which needs a profile of Front Door',
    azure: ['Front Door WAF / WAF policy'],
    none: 'its set of rules needs no profile with a monthly fee',
  },
  {
    what: 'Requests that a web firewall inspects; its set of rules is another line',
    needs: { aws: 'WAF / Web ACL', gcp: 'Cloud Armor / Standard policy' },
    aws: ['WAF / Requests'],
    gcp: ['Cloud Armor / Standard requests'],
    none: 'the catalog has no such price',
  },
  {
    what: 'Watching an account for attacks, by its events',
    aws: ['GuardDuty / CloudTrail management events'],
    none: 'it counts servers, or the catalog has no such service',
  },
  {
    what: 'Watching a server for attacks',
    azure: ['Defender for Cloud / Servers Plan 1', 'Defender for Cloud / Servers Plan 2'],
    none: 'it counts events, or the catalog has no such service',
  },
  {
    what: 'A firewall of a whole network, by the hour',
    azure: ['Azure Firewall / Standard deployment'],
    none: 'the catalog has no such firewall',
  },
  {
    what: 'Tokens of Amazon Nova',
    aws: [
      'Bedrock / Nova Lite input',
      'Bedrock / Nova Lite output',
      'Bedrock / Nova Pro input',
      'Bedrock / Nova Pro output',
    ],
    none: MODEL,
  },
  {
    what: 'Tokens of models of OpenAI',
    azure: [
      'OpenAI Service / gpt-4.1-mini input',
      'OpenAI Service / gpt-4.1-mini output',
      'OpenAI Service / gpt-4.1 input',
      'OpenAI Service / gpt-4.1 output',
      'OpenAI Service / text-embedding-3-small',
    ],
    none: MODEL,
  },
  {
    what: 'Tokens of Gemini',
    gcp: [
      'Vertex AI / Gemini 2.5 Flash input',
      'Vertex AI / Gemini 2.5 Flash output',
      'Vertex AI / Gemini 2.5 Pro input',
      'Vertex AI / Gemini 2.5 Pro output',
    ],
    none: MODEL,
  },
  {
    what: 'Reading the text of pages, the first million',
    aws: ['Textract / Detect Document Text'],
    azure: ['Document Intelligence / Read model'],
    gcp: ['Document AI / Enterprise OCR'],
  },
  {
    what: 'Faces in images: finding, comparing, keeping them',
    aws: ['Rekognition / Image analysis group 1'],
    none: 'its price is for labels or text in images, or the catalog has none',
  },
  {
    what: 'Labels or text in images',
    gcp: ['Cloud Vision / Label or text detection'],
    none: 'its price is for faces in images, or the catalog has none',
  },
  {
    what: 'Names of things in texts',
    gcp: ['Natural Language / Entity analysis'],
    none: 'the catalog has no such service',
  },
  { what: 'A search service', azure: ['AI Search / Basic'], none: 'the catalog has no search service' },
  {
    what: 'A machine for training, managed by the provider',
    aws: ['SageMaker / ml.m5.xlarge'],
    none: 'the catalog has no such machine',
  },
];
