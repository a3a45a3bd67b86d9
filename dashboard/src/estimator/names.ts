import type { Category, Provider } from '../../../src/domain/catalog';

/** How providers call themselves. */
export const PROVIDER_NAMES: Readonly<Record<Provider, string>> = {
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'Google Cloud',
};

/** One colour each, wherever a provider is drawn; a contrast of 3 on the cards of both schemes. */
export const PROVIDER_COLORS: Readonly<Record<Provider, string>> = {
  aws: '#c97a06',
  azure: '#2f74d8',
  gcp: '#2b8a57',
};

export const CATEGORY_NAMES: Readonly<Record<Category, string>> = {
  compute: 'Compute',
  storage: 'Storage',
  database: 'Database',
  networking: 'Networking',
  containers: 'Containers',
  serverless: 'Serverless',
  monitoring: 'Monitoring',
  messaging: 'Messaging',
  cdn: 'CDN',
  security: 'Security',
  cache: 'Cache',
  ai_ml: 'AI and ML',
};
