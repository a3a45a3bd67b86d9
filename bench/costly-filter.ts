/** With `COSTLY_BATCH`, as much work for filters as a call may cost; it matches nothing. */
export const COSTLY_FILTER = { list: { $all: Array.from({ length: 100 }, (_, index) => index) } };

/** A batch for it. */
export const COSTLY_BATCH = {
  events: Array.from({ length: 8 }, () => ({
    type: 'order.created',
    data: { list: Array.from({ length: 650 }, () => 1) },
  })),
};
