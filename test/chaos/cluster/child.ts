import { fork, type ChildProcess } from 'node:child_process';

/** A process of the matrix that is controlled over IPC: a receiver, a name server, the load. */
export interface Child {
  readonly pid: number;
  /** Sends a message and waits for the answer to it. */
  ask<T>(message: object): Promise<T>;
  kill(): Promise<void>;
}

/** What goes over the wire: each message has a number, and its answer the same. */
interface Envelope {
  readonly number: number;
  readonly message: unknown;
}

/** @param script compiled, without IPC arguments; it answers by {@link answerParent} */
export async function startChild(script: string, args: readonly string[] = []): Promise<Child> {
  const child = fork(script, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  let numbers = 0;
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  child.on('message', ({ number, message }: Envelope) => {
    waiting.get(number)?.resolve(message);
    waiting.delete(number);
  });
  void gone.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${script} has ended`));
  });
  return {
    pid: child.pid!,
    ask: <T>(message: object) =>
      new Promise<T>((resolve, reject) => {
        numbers += 1;
        waiting.set(numbers, { resolve: resolve as (answer: unknown) => void, reject });
        child.send({ number: numbers, message } satisfies Envelope, (error) => error && reject(error));
      }),
    kill: () => end(child, gone),
  };
}

async function end(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.kill('SIGKILL');
  await gone;
}

/** In the child: answers each message of the parent, and ends with it. */
export function answerParent(answer: (message: never) => unknown): void {
  process.on('message', ({ number, message }: Envelope) => {
    void Promise.resolve(answer(message as never)).then((reply) =>
      process.send?.({ number, message: reply ?? null } satisfies Envelope),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
