import type Router from '@koa/router';
import type { z } from 'zod';
import type { HttpContext, RequestState } from './request-state';

/** One answer of an operation that is not an error. */
export interface Answer {
  readonly description: string;
  readonly schema: z.ZodType;
  /** Headers beyond the ones that every answer carries: name and what it says. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly example?: unknown;
}

/** What a caller may read about an operation. The schemas are the ones that validate. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** As the OpenAPI document writes it: `/api/v1/webhooks/events/{event_id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly bodyExample?: unknown;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Statuses of errors, beyond the ones that every operation of its kind can have. */
  readonly errors?: Readonly<Record<number, string>>;
}

/** The part after the prefix of ids that examples show. */
export const EXAMPLE_ID = '4gq9k1m3v7z2x8c5b6n0t1r2s3';

/** Where operations are added: the router that serves them and the list that documents them. */
export interface Api {
  readonly router: Router<RequestState>;
  readonly operations: Operation[];
}

/** Serves and documents an operation in one go, so that neither can be forgotten. */
export function addOperation(
  api: Api,
  operation: Operation,
  handler: (ctx: HttpContext & { params: Record<string, string> }) => Promise<void> | void,
): void {
  api.operations.push(operation);
  api.router[operation.method](operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), (ctx) => handler(ctx));
}
