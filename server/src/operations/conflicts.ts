/** What ALREADY_EXISTS says for each unique index (decisions, part 3). */
export const conflicts: Record<string, string> = {
  'channel(serverId,nameKey)': 'name: a channel of this name is in the server already',
  'pin(messageId)': 'this message is pinned already',
  'userRole(userId,roleId)': 'this user has the role already',
  'serverMember(serverId,userId)': 'this user is a member of the server already',
  'appInstall(serverId,appId)': 'this app is installed in the server already',
  'reaction(messageId,userId,emoji)': 'you have reacted to this message with this emoji already',
  'user(username)': 'this username is taken',
};
