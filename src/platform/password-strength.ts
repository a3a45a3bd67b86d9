import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Whether a password is easy to guess: a common one, a pattern of the keyboard, a repetition, or made of `known`. */
export type IsGuessable = (password: string, known: readonly string[]) => boolean;

/** Looked at no further: what is strong so far is strong, and the time to look grows with the length. */
const MAX_LENGTH = 64;

/** Of 0 to 4; 3 needs more than 10^8 guesses. */
const LEAST_SCORE = 3;

/** zxcvbn, with its lists of common passwords. They are unpacked at the first call. */
export function createIsGuessable(): IsGuessable {
  let estimator: ZxcvbnFactory | undefined;
  return (password, known) => {
    estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_LENGTH });
    return estimator.check(password, [...known]).score < LEAST_SCORE;
  };
}
