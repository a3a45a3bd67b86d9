import {
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
} from '@opentelemetry/api';

export type { Span } from '@opentelemetry/api';
export { SpanKind } from '@opentelemetry/api';

/** Without an SDK its spans record nothing. They still carry on the trace that they are given. */
const tracer = trace.getTracer('everpost');

/** W3C Trace Context. Version 00 ends after the flags; a later version may add fields, and ff is none. */
const TRACEPARENT = /^(?!ff|00.{53}.)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
/** Sampled and random: all flags that W3C defines. Others must not be passed on. */
const KNOWN_FLAGS = 0b11;

/**
 * Begins a span.
 *
 * @param parent the `traceparent` that it continues; without a valid one it begins a trace
 */
export function startSpan(name: string, options: SpanOptions, parent: string | undefined): Span {
  return tracer.startSpan(name, options, contextOf(parent));
}

/** Ends a span with the work that it describes. The error is not recorded, because its text may contain a secret. */
export async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    failSpan(span, error instanceof Error ? error.name : 'error');
    throw error;
  } finally {
    span.end();
  }
}

/** Marks what a span describes as failed. */
export function failSpan(span: Span, errorType: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', errorType);
}

/** Describes a span, if it is recorded: `describe` costs nothing while tracing is off. */
export function describeSpan(span: Span, describe: () => Attributes): void {
  if (span.isRecording()) span.setAttributes(describe());
}

/** The `traceparent` with which others continue a span; undefined if it belongs to no trace. */
export function traceparentOf(span: Span): string | undefined {
  const context = span.spanContext();
  if (!trace.isSpanContextValid(context)) return undefined;
  const { traceId, spanId, traceFlags } = context;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** The ids of a trace and of a span of it. */
export interface TraceIds {
  readonly trace_id?: string;
  readonly span_id?: string;
}

/** The fields of a log line about a span; none if it belongs to no trace. */
export function traceIdsOf(span: Span): TraceIds {
  return traceIdsIn(traceparentOf(span));
}

/** The fields of a log line about a `traceparent`; none without one. */
export function traceIdsIn(traceparent: string | undefined): TraceIds {
  const [, traceId, spanId] = traceparent?.split('-') ?? [];
  return traceId === undefined || spanId === undefined ? {} : { trace_id: traceId, span_id: spanId };
}

function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  // Ids of zeros are invalid: a span ignores such a parent.
  const traceFlags = Number.parseInt(flags, 16) & KNOWN_FLAGS;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
