import type { Endpoint } from '../api/answers';

type Named = Pick<Endpoint, 'description' | 'url'>;

/** The name of an endpoint: its description, or its URL if it has none. */
export function endpointName({ description, url }: Named): string {
  return description === '' ? url : description;
}

/** An endpoint as a choice of a field, which is found by its name and by its URL. */
export function endpointChoice({ id, ...named }: Named & Pick<Endpoint, 'id'>) {
  const label = named.description === '' ? named.url : `${named.description} · ${named.url}`;
  return { value: id, label };
}
