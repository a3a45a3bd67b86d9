/** The path at the receiver below which every request gets 500. */
export const CANNON = '/hook/cannon/';
