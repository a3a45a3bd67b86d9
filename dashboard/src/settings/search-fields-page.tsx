import { Page } from '../shell/page';
import { SearchFieldsCard } from './search-fields-card';

/** The fields of `data` by which events are found. */
export function SearchFieldsPage() {
  return (
    <Page title="Search fields" description="The fields of your data by which events are found.">
      <SearchFieldsCard />
    </Page>
  );
}
