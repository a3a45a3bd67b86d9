import type { Tag } from '../http/route';

export const ENDPOINTS_TAG: Tag = { name: 'Endpoints', description: 'Destinations that receive deliveries.' };
