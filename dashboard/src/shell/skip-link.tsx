import type { MouseEvent } from 'react';
import classes from './shell.module.css';

/** Not a real link to `#main`: pages keep things of their own behind the `#`. */
export function SkipLink() {
  const focusMain = (event: MouseEvent): void => {
    event.preventDefault();
    document.querySelector<HTMLElement>('#main')?.focus();
  };
  return (
    <a href="#main" className={classes['skip']} onClick={focusMain}>
      Skip to content
    </a>
  );
}
