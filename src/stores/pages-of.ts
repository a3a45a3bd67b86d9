/** Documents that are read and changed together. */
const PAGE = 1_000;

/** Everything that a cursor finds, in pages of up to 1,000: for background work on any number of documents. */
export async function* pagesOf<T>(cursor: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for await (const document of cursor) {
    page.push(document);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
