import type { Tag } from '../http/route';

export const EVENT_TYPES_TAG: Tag = {
  name: 'Event types',
  description: 'The catalog of the installation: which events there are, and what is in their `data`.',
};
