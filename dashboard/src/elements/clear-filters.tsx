import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { isNarrowed, type ListFilter } from './list-filter';

/** Takes all filters away; nothing while there are none. */
export function ClearFilters({ filter, onClear }: { readonly filter: ListFilter; readonly onClear: () => void }) {
  if (!isNarrowed(filter)) return null;
  return (
    <Button variant="subtle" color="gray" leftSection={<X size={16} aria-hidden />} onClick={onClear}>
      Clear filters
    </Button>
  );
}
