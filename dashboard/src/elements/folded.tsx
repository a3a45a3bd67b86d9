import { useState, type ReactNode } from 'react';
import classes from './folded.module.css';

interface FoldedProps {
  readonly title: string;
  /** Made when it is first opened: an event may have hundreds of attempts. */
  readonly children: ReactNode;
}

/** Details behind a title, in the browser's own element, which works with keyboards and screen readers. */
export function Folded({ title, children }: FoldedProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details className={classes['folded']} onToggle={() => setWasOpened(true)}>
      <summary className={classes['title']}>{title}</summary>
      {wasOpened && children}
    </details>
  );
}
