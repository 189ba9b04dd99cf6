/** The values of the setting `secondFactor`. */
export const secondFactorRules = ['off', 'admins', 'all'] as const;

/** Who needs two-factor authentication or a passkey: nobody, administrators of the platform or of the server, or everybody. */
export type SecondFactorRule = (typeof secondFactorRules)[number];
