/** A connection string with these options in place of its own of those names. */
export function uriWith(uri: string, options: Readonly<Record<string, string | number | boolean>>): string {
  const changed = new URL(uri);
  for (const [name, value] of Object.entries(options)) changed.searchParams.set(name, String(value));
  return changed.href;
}
