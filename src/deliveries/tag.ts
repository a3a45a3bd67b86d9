import type { Tag } from '../http/route';

export const DELIVERIES_TAG: Tag = { name: 'Deliveries', description: 'The delivery of one event to one endpoint.' };
