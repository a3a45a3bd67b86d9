import { SpanKind, startSpan, traceIdsOf, traceparentOf } from '../../src/platform/tracing';

// What Everpost reads in a `traceparent` (W3C Trace Context). Without an SDK, a span continues its parent as it is.

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

function continued(traceparent: string | undefined): string | undefined {
  return traceparentOf(startSpan('test', { kind: SpanKind.INTERNAL }, traceparent));
}

it.each([
  ['sampled', `00-${TRACE}-${SPAN}-01`, '01'],
  ['not sampled', `00-${TRACE}-${SPAN}-00`, '00'],
  ['of a random trace id', `00-${TRACE}-${SPAN}-03`, '03'],
  ['with flags that W3C does not define', `00-${TRACE}-${SPAN}-fd`, '01'],
  ['of a later version', `cc-${TRACE}-${SPAN}-01`, '01'],
  ['of a later version, with more fields', `cc-${TRACE}-${SPAN}-01-what-the-future-brings`, '01'],
])('continues one that is %s', (_what, traceparent, flags) => {
  expect(continued(traceparent)).toBe(`00-${TRACE}-${SPAN}-${flags}`);
});

it.each([
  ['absent', undefined],
  ['empty', ''],
  ['there twice', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ['of no version', `ff-${TRACE}-${SPAN}-01`],
  ['of version 00 with more fields', `00-${TRACE}-${SPAN}-01-more`],
  ['of a later version with a longer flag', `cc-${TRACE}-${SPAN}-011`],
  ['in upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['without a trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['without a span', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['too short', `00-${TRACE}-${SPAN}`],
])('ignores one that is %s', (_what, traceparent) => {
  expect(continued(traceparent)).toBeUndefined();
});

it('names trace and span for a log line, and nothing outside of a trace', () => {
  const inTrace = startSpan('test', {}, `00-${TRACE}-${SPAN}-01`);
  expect(traceIdsOf(inTrace)).toEqual({ trace_id: TRACE, span_id: SPAN });
  expect(traceIdsOf(startSpan('test', {}, undefined))).toEqual({});
});
