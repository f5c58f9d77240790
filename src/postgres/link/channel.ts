// The name of the notifications of commits.

export const CHANNEL = 'reconverge_commits';
