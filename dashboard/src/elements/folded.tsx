import { useState, type ReactNode } from 'react';
import classes from './folded.module.css';

interface FoldedProps {
  readonly title: string;
  /** Made when it is first opened: an event may have hundreds of attempts. */
  readonly children: ReactNode;
}

/** Something that few want to see, behind its title. The browser's own element: keyboards and screen readers know it. */
export function Folded({ title, children }: FoldedProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details className={classes['folded']} onToggle={() => setWasOpened(true)}>
      <summary className={classes['title']}>{title}</summary>
      {wasOpened && children}
    </details>
  );
}
