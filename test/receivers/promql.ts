/** Words of PromQL that are not metrics. */
const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

/** The names in an expression of PromQL. */
export interface PromqlNames {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}

/**
 * Finds the metrics and labels that an expression names. Enough of PromQL for our own dashboard and rules: whatever
 * it does not know is taken for a metric, so that nothing is overlooked.
 */
export function namesIn(expression: string): PromqlNames {
  const labels: string[] = [];
  const rest = expression
    // Selectors: name, operator, value.
    .replaceAll(/\{([^}]*)\}/g, (_all, matchers: string) => {
      for (const [, label] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"[^"]*"/g)) labels.push(label!);
      return ' ';
    })
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_all, list: string) => {
      labels.push(...list.split(',').flatMap((label) => label.trim() || []));
      return ' ';
    })
    // Ranges and strings.
    .replaceAll(/\[[^\]]*\]|"[^"]*"/g, ' ')
    // Functions.
    .replaceAll(/\b\w+\s*\(/g, '(');
  const words = rest.match(/[a-zA-Z_:][\w:]*/g) ?? [];
  return { metrics: words.filter((word) => !KEYWORDS.has(word.toLowerCase())), labels };
}
