/** The values of the setting `secondFactor`. */
export const secondFactorRules = ['off', 'admins', 'all'] as const;

/**
 * The people who need two-factor authentication or a passkey: nobody, admins of the platform or of the
 * server, or everybody.
 */
export type SecondFactorRule = (typeof secondFactorRules)[number];
