import type { Tag } from '../http/route';

export const EVENTS_TAG: Tag = { name: 'Events', description: 'Ingest events, and read their status.' };
