import type { Tag } from '../http/route';

export const ERASURES_TAG: Tag = {
  name: 'Erasures',
  description: 'Erase the data of events, one by one or by a search value.',
};

export const ERASURES_PATH = '/api/v1/webhooks/erasures';
