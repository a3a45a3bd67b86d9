import { setSearchFields } from '../accounts/set-search-fields';
import type { AccountStore } from '../accounts/account-store';
import { addRoute, type RouteApi } from '../http/operation';
import { readBody, validate } from '../http/read-body';
import { search, type SearchDeps } from './search';
import { searchFieldsBody, searchFieldsView, searchQuery, searchView } from './schema';

/** What the search, and its setting, need. */
export interface SearchRouteDeps extends SearchDeps {
  readonly accounts: AccountStore;
}

/** Adds the search over everything of an account, and the setting of its search fields. */
export function addSearchRoutes(api: RouteApi, deps: SearchRouteDeps): void {
  // Events, endpoints and event types that match a text, a few of each.
  addRoute(
    api,
    { id: 'search', method: 'get', path: '/dashboard/api/search', query: searchQuery, answer: searchView },
    async (ctx) => {
      const { q: text } = validate(searchQuery, { ...ctx.query }, 'query');
      const { accountId, searchFields } = ctx.state.caller;
      ctx.body = await search(deps, { accountId, searchFields, text });
    },
  );

  // Sets the fields of `data` by which events are found from now on.
  addRoute(
    api,
    {
      id: 'setSearchFields',
      method: 'patch',
      path: '/dashboard/api/search-fields',
      body: searchFieldsBody,
      answer: searchFieldsView,
      recordsItself: true,
    },
    async (ctx) => {
      const { value } = await readBody(ctx, searchFieldsBody);
      const { accountId, actor, address } = ctx.state.caller;
      const fields = await setSearchFields(deps, { accountId, fields: value.search_fields }, { actor, address });
      ctx.body = { search_fields: fields };
    },
  );
}
