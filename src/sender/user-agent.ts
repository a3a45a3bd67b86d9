/** How Everpost introduces itself to receivers: name and minor version. */
export const USER_AGENT = 'Everpost/0.1';
