/** An object as it is edited; an empty one is an empty text. */
export function jsonOf(value: object): string {
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2);
}

/** The object that a text is; undefined for any other text. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
