import { useMounted } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useEffect, useEffectEvent, useState, type ComponentType } from 'react';
import { inTime } from '../api/call-api';

interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/**
 * A dialog whose file is loaded when it is first opened, so that its page loads less. If that fails, because the server
 * is away, a message says so and the dialog counts as closed.
 *
 * @param load imports the dialog's file
 * @param name what the file exports it as
 * @param options.atOnce loads it with the page: for a dialog that people type into as soon as they have opened it
 */
export function lazyDialog<Name extends string, Props extends DialogProps>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
) {
  return function LazyDialog(props: Props) {
    const { opened, onClose } = props;
    const [Dialog, setDialog] = useState<ComponentType<Props>>();
    const isWanted = !Dialog && (opened || atOnce);
    const fail = useEffectEvent(() => {
      if (!opened) return;
      notifications.show({
        color: 'red',
        title: 'This could not be opened',
        message: 'The server did not answer. Check the connection and try again.',
      });
      onClose();
    });
    useEffect(() => {
      if (isWanted)
        inTime('GET', load).then(
          (file) => setDialog(() => file[name]),
          () => fail(),
        );
    }, [isWanted, opened]);
    return Dialog && <MountedFirst Dialog={Dialog} props={props} />;
  };
}

interface MountedFirstProps<Props> {
  readonly Dialog: ComponentType<Props>;
  readonly props: Props;
}

/** A dialog that is mounted open would not know where the focus was before. */
function MountedFirst<Props extends DialogProps>({ Dialog, props }: MountedFirstProps<Props>) {
  const isMounted = useMounted();
  return <Dialog {...props} opened={props.opened && isMounted} />;
}
