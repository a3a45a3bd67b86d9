import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { IncomingRequest } from '../../src/platform/incoming-request';

/** A request as Node creates it, before any byte of its body has arrived. `push` makes bytes of the body arrive. */
export function buildRequest(headers: Readonly<Record<string, string>> = { 'transfer-encoding': 'chunked' }) {
  const socket = new PassThrough();
  const request = new IncomingRequest(socket as unknown as Socket);
  Object.assign(request.headers, headers);
  return { request, socket };
}
