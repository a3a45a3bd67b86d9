import { AppError } from '../domain/errors';

/** The path exists, but not with this method. */
export class MethodNotAllowedError extends AppError {
  readonly allowed: readonly string[];

  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not allowed here. Allowed: ${allowed.join(', ')}.`, 'method_not_allowed');
    this.allowed = allowed;
  }
}

/** The Host header names another server. */
export class MisdirectedError extends AppError {}

/** The body is larger than 256 KiB. */
export class PayloadTooLargeError extends AppError {}

/** The body is not `application/json`, or it is compressed. */
export class UnsupportedMediaTypeError extends AppError {}
