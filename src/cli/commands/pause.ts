// pause: keeps a run from starting anything new until it is resumed.
import { orderCommand } from '../drive/order-run.ts';

export const command = orderCommand(
  'pause',
  [{ command: 'reconverge pause latest --why "after the backup"', does: 'hold a run; reconverge resume goes on' }],
  'the process that drives it has been told to pause it',
);
