/** `account.tier_changed` → `Account tier changed`. */
export function describeAction(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
