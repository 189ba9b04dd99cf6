/** A request that is not as its operation alone says. */
export interface Special {
  /** The status that it shows, where that is a refusal. */
  refusal?: number;
  /** True if it comes after the others of its folder. */
  isLast?: true;
  /** Parts of the path or the body, by their names, in place of those that follow from the document. */
  values?: Readonly<Record<string, unknown>>;
  /** The variables that it sets, in place of the id of what it makes: JavaScript that reads `made`, the data of the answer. */
  sets?: Readonly<Record<string, string>>;
  /** The same, in the first folder. */
  setsFirst?: Readonly<Record<string, string>>;
}

/** The requests of the first folder, which makes what the others need: operations, some with the name of an example. */
export const firstSteps: readonly string[] = [
  'userMe',
  'channelsByServer',
  'messageSend In-a-channel',
  'threadInsert On-a-message',
  'roleInsert',
  'secretInsert An-API-key',
  'inviteInsert For-ten-people',
  'appInsert',
];

/** The requests that need more than their operation says, by the operation or by the operation and the example. */
export const specials: Readonly<Record<string, Special>> = {
  userMe: { sets: { userId: 'made.id', serverId: 'made.server.id' } },
  channelsByServer: { sets: { channelId: 'made[0].id' } },
  usersBeside: { values: { ids: '{{userId}}' } },
  // The name of a channel is unique in its server.
  'channelInsert For-everybody': { values: { name: 'news {{$timestamp}}' } },
  'channelInsert For-some-roles': { values: { name: 'staff {{$timestamp}}' } },
  channelUpdate: { values: { name: 'announcements {{$timestamp}}' } },
  'messageSend As-an-answer': { sets: { answerId: 'made.id' } },
  messageDeleteMany: { values: { ids: ['{{answerId}}'] } },
  'secretInsert An-API-key': { setsFirst: { agentId: 'made.userId' } },
  // Only keys can be rotated.
  'secretInsert A-secret-of-an-app': { sets: { appSecretId: 'made.id' } },
  events: { sets: { eventId: 'made[0].id' } },
  'webhookInsert Receive-messages': { sets: { token: 'made.token' } },
  webhookReplay: { values: { after: '{{eventId}}' } },
  webhookPing: { sets: { deliveryId: 'made.id' } },
  webhookRedeliver: { values: { id: '{{deliveryId}}' } },
  'serverMemberInsert Join-a-public-server': { refusal: 409, sets: {} },
  'serverMemberInsert Join-with-an-invite': { refusal: 409, sets: {} },
  // The member that is taken away is the agent, who then comes back.
  serverMembers: {
    sets: {
      newServerMemberId: "made.find(({ userId }) => userId === pm.collectionVariables.get('agentId')).id",
    },
  },
  'serverMemberInsert Add-a-user': { isLast: true, values: { userId: '{{agentId}}' } },
  serverBanInsert: { values: { userId: '{{agentId}}' } },
  // The file of the collection is no picture.
  serverIconUpload: { refusal: 400 },
  serverBannerUpload: { refusal: 400 },
  userImageUpload: { refusal: 400 },
  pictureContent: { refusal: 404, values: { pictureId: 'none' } },
  // Flows are made by none of the requests.
  flowById: { refusal: 404, values: { flowId: 'none' } },
};
