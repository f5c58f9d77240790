// cancel: ends a run, even one that another process drives.
import { orderCommand } from '../drive/order-run.ts';

export const command = orderCommand(
  'cancel',
  [{ command: 'reconverge cancel latest --why "wrong folder"', does: 'end the run that another terminal drives' }],
  'the process that drives it has been told to end it',
);
