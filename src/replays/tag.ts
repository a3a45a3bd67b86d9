import type { Tag } from '../http/route';

export const REPLAYS_TAG: Tag = { name: 'Replays', description: 'Durable jobs that send many deliveries again.' };

export const REPLAYS_PATH = '/api/v1/webhooks/replays';
