// The keys under which commands tell in JSON what did not go as planned.

export const shortfallShape = {
  failed:
    '[{ step, task?, code, message, takenUp?, behind }]: what failed by itself, the repair that took it up, and how many steps did not run because of it',
  tolerated: '[{ step, task?, code, message, behind }]: what failed and was tolerated',
  skipped: '[{ step, reason, root? }]: what did not run, and the step whose end is the reason',
};
