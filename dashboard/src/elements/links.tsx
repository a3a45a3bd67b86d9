import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type NativeLinkProps = Omit<ComponentProps<'a'>, 'color' | 'style'>;

/** A text that leads to another page of this application. */
export const PageLink = createLink((props: AnchorProps & NativeLinkProps) => <Anchor {...props} />);

/** A button that leads to another page of this application. */
export const PageButton = createLink((props: ButtonProps & NativeLinkProps) => <Button component="a" {...props} />);
