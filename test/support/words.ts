/** The words of a line: a table with one short column. */
export const words = (line: string): string[] => line.split(' ');
