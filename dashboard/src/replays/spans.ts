/** Times back from now that can be chosen: hours, and what they are called. */
export const SPANS = [
  { value: '1', label: 'the last hour' },
  { value: '6', label: 'the last 6 hours' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
];
