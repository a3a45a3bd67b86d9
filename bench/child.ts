import type { ChildProcess } from 'node:child_process';

/** Sends a message and waits for the answer of the given kind. */
export function ask<T>(child: ChildProcess, message: object, kind: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: { kind: string }): void => {
      if (answer.kind !== kind) return;
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(answer as T);
    };
    const onExit = (code: number | null): void =>
      reject(new Error(`a process of the benchmark ended with code ${code}`));
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.send(message);
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
