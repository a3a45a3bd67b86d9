import { InvalidRequestError, UnprocessableError, type ErrorDetail } from '../domain/errors';
import type { EndpointDeps } from './create-endpoint';

/** The problems of a body's `url`: only the installation's settings tell which URLs can be used. */
export function urlProblemsOf(deps: Pick<EndpointDeps, 'checkUrl'>): (body: unknown) => readonly ErrorDetail[] {
  return (body) => {
    const url = (body as { readonly url?: unknown } | null)?.url;
    if (typeof url !== 'string') return [];
    try {
      deps.checkUrl(url);
      return [];
    } catch (error) {
      if (error instanceof InvalidRequestError || error instanceof UnprocessableError) return error.details;
      throw error;
    }
  };
}
