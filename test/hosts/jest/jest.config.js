export default { transform: {}, testEnvironment: 'jest-fixed-jsdom' }
