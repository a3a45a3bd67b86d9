// oxlint-disable-next-line import/no-unassigned-import -- it sets the colours
import '../docs';
import { addCopyButtons } from './copy-buttons';
import { addSearch } from './search';

// The pages can be read without a script. What needs one is added here.
addSearch(document.querySelector('header')!);
addCopyButtons();
