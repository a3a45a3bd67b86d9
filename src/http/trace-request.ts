import { describeSpan, failSpan, SpanKind, startSpan, traceIdsOf } from '../platform/tracing';
import type { HttpMiddleware } from './request-state';

/**
 * Gives a call its span, which continues the caller's `traceparent`. It follows authentication, so that strangers can't
 * fill the collector. Without tracing the call still belongs to the caller's trace.
 */
export const traceRequest: HttpMiddleware = (ctx, next) => {
  const { method, state } = ctx;
  const startTime = Date.now() - state.ageMs();
  const span = startSpan(method, { kind: SpanKind.SERVER, startTime }, ctx.get('traceparent'));
  state.span = span;
  state.identify({ ...traceIdsOf(span) });
  if (!span.isRecording()) return next();
  ctx.res.once('close', () => {
    const { statusCode } = ctx.res;
    // The pattern, not the path, which may contain what a client put there by mistake.
    const route = state.route;
    if (route !== undefined) span.updateName(`${method} ${route}`);
    describeSpan(span, () => ({
      'http.request.method': method,
      'http.response.status_code': statusCode,
      ...(route !== undefined && { 'http.route': route }),
      'everpost.request_id': state.requestId,
      'everpost.account_id': state.caller?.accountId ?? state.credential.account,
    }));
    if (statusCode >= 500) failSpan(span, String(statusCode));
    span.end();
  });
  return next();
};
