import type { Tag } from '../http/route';

export const REHEARSALS_TAG: Tag = {
  name: 'Rehearsals',
  description: 'What a change would have done to the newest stored events.',
};

export const REHEARSALS_PATH = '/api/v1/webhooks/rehearsals';
