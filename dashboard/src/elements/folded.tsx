import type { ReactNode } from 'react';
import classes from './folded.module.css';

interface FoldedProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Something that few want to see, behind its title. The browser's own element: keyboards and screen readers know it. */
export function Folded({ title, children }: FoldedProps) {
  return (
    <details className={classes['folded']}>
      <summary className={classes['title']}>{title}</summary>
      {children}
    </details>
  );
}
